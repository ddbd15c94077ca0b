/** The command that a reply answers; `greeting` answers the connection itself. */
export type Stage = 'greeting' | 'ehlo' | 'starttls' | 'mail' | 'rcpt';
