/** What the page says of whom; none of it is secret. */
export type ContactFacts = {
  /** Who answers for this machine. */
  readonly operator: string;
  /** The address to which requests and complaints go. */
  readonly contact: string;
  /** The names by which mail servers know this machine; may be empty. */
  readonly names: readonly string[];
  /** The envelope sender of every probe; null if it is not set. */
  readonly mailFrom: string | null;
};

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}

/**
 * The page that stands at the EHLO name: who probes, why, what is done and not done, and how to opt out. Pure.
 * @returns HTML without scripts, styles or anything from elsewhere
 */
export function contactPageOf({ operator, contact, names, mailFrom }: ContactFacts): string {
  const who = escapeHtml(operator);
  const link = `<a href="mailto:${encodeURIComponent(contact)}">${escapeHtml(contact)}</a>`;
  const known = names.length === 0 ? '' : ` Mail servers know it as ${escapeHtml(names.join(', '))}.`;
  const sender = mailFrom === null ? '' : ` from ${escapeHtml(mailFrom)}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Email address verification</title>
<h1>This machine verifies email addresses</h1>
<p>It is run by ${who}.${known} Questions and complaints: ${link}.</p>
<h2>What it does</h2>
<p>When a customer asks whether an address can receive mail, this machine connects to the mail server of its domain,
greets it, names the recipient${sender} (<code>MAIL FROM</code>, <code>RCPT TO</code>), reads the reply and ends the session.
If the recipient is accepted it also asks about one mailbox that does not exist. It never sends a message.</p>
<h2>What it takes care of</h2>
<p>Connections to one server are few and spaced. A server that asks for a pause gets it, and one that refuses this
machine is left alone for a while. No address that was asked about is stored, and no domain of one.</p>
<h2>How to opt out</h2>
<p>Write to ${link} from an address in your domain, and name the domain: the part behind the @. From then on none of our
machines asks about any address in it, or in its subdomains. All that we keep of the domain for this is a keyed hash.</p>
</html>
`;
}
