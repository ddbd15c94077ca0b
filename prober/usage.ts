export const USAGE = `Usage: rcpt-prober [--version | --help]
       rcpt-prober --check [--json]
       rcpt-prober join URL INVITATION [--out FILE] [--replace]

Runs one probe host: it connects to the edge named in its enrolment, takes jobs and probes addresses on port 25.
SIGTERM or SIGINT drains it: it takes no new jobs, finishes the running ones and exits 0. A second signal exits 1 at once.
Logs are JSON lines on standard error.

join creates this machine's key, enrols it with the edge, and writes the enrolment to FILE (default: ENROLMENT, or
/etc/rcpt/enrolment.json). An operator creates the invitation with \`admin host invite\`; it can be used once, within 15 minutes.
--replace puts a new key and enrolment in the place of old ones, and starts the host's unit again.

--check tests this host as the edge and receivers see it: link, clock, resolver, port 25, reverse DNS, EHLO name, SPF, block
lists, and the mailbox that must exist. A machine can be checked before it joins. Without ENROLMENT it takes the unit's settings, /etc/rcpt/rcpt-prober.env. It
prints one line per check, with the remedy. Exit: 0 all passed, 1 something to fix or unknown, 2 bad settings.

Environment (details in prober/README.md):
  ENROLMENT       path of the enrolment file (required, mode 0600)
  EGRESS          IP=HELO,…        addresses to probe from, each with its PTR name; default=HELO: the system's address
  MAIL_FROM       ADDRESS          envelope sender of every probe
  DNS             IP:PORT,…        resolvers instead of the system's
  STUB            ZONE=IP:PORT,…   zones with their own DNS server
  STARTTLS        when_demanded (default) or always
  CANARY_NAME     NAME,…           names that exist (replaces the built-in list)
  CANARY_MISSING  NAME,…           names that do not exist
  CANARY_HOST     NAME,…           mail servers that greet on port 25
  CANARY_MAILBOX  ADDRESS,…        mailboxes that must exist (default: postmaster at the domain of MAIL_FROM)
  METRICS_PORT    PORT             serve /metrics for Prometheus on 127.0.0.1 (default: off)
  SANDBOX, ROUTE  1 and CIDR=[IP:]PORT,…  private routes, in sandboxes only
`;
