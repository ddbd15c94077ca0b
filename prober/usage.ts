export const USAGE = `Usage: rcpt-prober [--version | --help]
       rcpt-prober --check [--json]
       rcpt-prober replies
       rcpt-prober join URL INVITATION [--out FILE]
       rcpt-prober page

One probe host: dials in to the edge that its enrolment names, takes jobs and probes addresses on port 25.
SIGTERM or SIGINT drains it: no new jobs, running ones finish, exit 0. A second one ends it at once, exit 1.
Log lines are JSON on standard error.

join makes the key of this machine, has the edge enrol it, and writes the enrolment to FILE (the default is ENROLMENT, or
/etc/rcpt/enrolment.json). An operator makes the invitation with \`admin host invite\`; it is good once and for 15 minutes.

page serves the page that belongs at this host's EHLO name, until a signal ends it: who probes, why, and how to opt out. A
process of its own, which needs no enrolment.

--check looks at this host as the edge and receivers will: link, clock, resolver, port 25, reverse name, EHLO name, SPF,
block lists. A line each, with what to mend. Exit: 0 all is well, 1 something is to be mended or not known, 2 bad settings.

replies prints, as JSON, the replies to RCPT that no rule knows, names masked, that the host of this machine has counted. It
asks the host on METRICS_PORT. \`admin replies unknown\` does so for all hosts.

Environment (all of it in prober/README.md):
  ENROLMENT       path of the enrolment file (required, mode 0600)
  EGRESS          IP=HELO,…        addresses to probe from, each with the name that is its PTR; default=HELO
  MAIL_FROM       ADDRESS          envelope sender of every probe
  DNS             IP:PORT,…        resolvers instead of the system's
  STUB            ZONE=IP:PORT,…   zones with a server of their own
  STARTTLS        when_demanded (default) or always
  CANARY_NAME     NAME,…           names that exist, instead of the built-in ones
  CANARY_MISSING  NAME,…           names that do not
  CANARY_HOST     NAME,…           mail servers that greet on port 25
  METRICS_PORT    PORT             serves /metrics for Prometheus on 127.0.0.1; not set: nowhere
  PAGE_OPERATOR   TEXT             who answers for this machine, on the page
  PAGE_CONTACT    ADDRESS          for opt-outs and complaints, on the page
  PAGE_PORT       PORT             where the page is served; 80 if it is not set
  SANDBOX, ROUTE  1 and CIDR=PORT,…  private routes, for sandboxes only
`;
