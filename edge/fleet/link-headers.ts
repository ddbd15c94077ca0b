/** How the Worker tells a Fleet object who dials in. The object is reachable through the Worker alone. */
export const LINK_HEADERS = { host: 'x-rcpt-host', state: 'x-rcpt-host-state' } as const;
