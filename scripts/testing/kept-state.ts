// Whatever in edge and prober can remember something beyond a call: to which row of SECURITY.md, "What outlives a batch", it
// belongs, or that it ends with what it serves.

/** `row: file names; file names` */
export const KEPT = `
Connections, starts and rests of a mail server: limits/host-records.ts HostRecords.records; server/own-connections.ts OwnConnections.undecided OwnConnections.waiters; server/rate-limit.ts RateLimit.starts RateLimit.accepted RateLimit.served
Recipients of the last hour that were unknown: server/invalid-recipients.ts InvalidRecipients.named InvalidRecipients.counts
Refusals at RCPT in a row: server/refusal-streak.ts RefusalStreak.refused
Connections to a network: limits/limit-paths.ts LimitPaths.networks
Connections, starts and rests of a provider: limits/limit-paths.ts LimitPaths.providers; limits/provider-record.ts ProviderRecord.groups ProviderRecord.coolDowns
Servers that offered PIPECONNECT: session/pipeconnect.ts PipeconnectServers.shelves
Sessions that nobody uses: pool/idle-bound.ts IdleBound.shelves; pool/idle-sessions.ts IdleSessions.idle; pool/session-pool.ts SessionPool.hosts; pool/waiters.ts Waiters.waiting Waiters.riders
Waiting connections and look-ups: shares/account-turns.ts AccountTurns.accounts AccountTurns.turns; limits/connection-limits.ts ConnectionLimits.pathOf; limits/connection-queue.ts WaitingGroup.limits WaitingGroup.waiters; shares/recalls.ts Recalls.tenures Recalls.idle; dns/starts.ts PacedStarts.waiting
UDP sockets to a name server: dns/udp.ts UdpServer.sockets UdpSocket.asked UdpSocket.early
How replies were read: words/gist.ts gists; words/inflection.ts createInflection.kinOf; rules/decide.ts remembering.known
Metrics: metrics/engine-metrics.ts suspensions.kept
Replies that nothing explained: meaning/templates.ts createTemplates.kept
Running jobs: link/jobs.ts Jobs.entries; link/outbox.ts Outbox.sent Outbox.news
What is done for a job: figures/job-meter.ts current JOB_METER Counting.work
What large providers made of a host: health/provider-refusals.ts ProviderRefusals.pairs
Numbers of accounts: object/account-numbers.ts AccountNumbers.known
Hashes of domains that opted out: opt-out/find-opted-out.ts lists
How often a host differed: trust/differences.ts Differences.tallies
Addresses that are put to a second host: trust/comparisons.ts Comparisons.underWay
Variables, parsed: base/config.ts read; edge/description.ts made; base/databases.ts known
Imported secrets: base/keyed-hash.ts imported
Issued keys: access/known-keys.ts KnownKeys.issued byVariables notes
Keys that were never issued: access/known-keys.ts KnownKeys.madeUp
Accounts whose keys were used: access/known-accounts.ts KnownAccounts.accounts byVariables
What an account lacks credits for: ledger/funds.ts byDatabase
Networks with too many 401s: access/shield.ts counter Refused.untilMs visits refused
Addresses of test keys under way: verify/in-flight.ts InFlight.accounts begin.batches; verify/verify.ts ofTestKeys
Batches answered and not settled yet: verify/settle.ts waiting
Refusals of hosts that were told: dial-in/refused-links.ts RefusedLinks.toldAt; dial-in/accept-link.ts refusedLinks
When a host was last seen: object/host-notes.ts HostNotes.notes
Public keys of hosts: dial-in/accept-link.ts enrolled
What pages or is an error: base/paging.ts raised; base/raise-alarms.ts failedAtMs
What calls came to: base/traffic.ts gathered dueByMs
Alarms, and which were posted: alarms/alarm-book.ts AlarmBook.alarms
How the last batches went: object/recent-batches.ts RecentBatches.pages
Hosts that left jobs unanswered: trust/unanswered.ts UnansweredJobs.times
Health: health/answer-health.ts healthOf
Calls in a window: access/limit.ts counter; limiter/limiter.ts Limiter.windows
Calls of the pages' API: pages/limits.ts counter
Statements in a minute: pages/limits.ts counter
Stripe's client, and when a refused event was last told: orders/stripe.ts clients; orders/events.ts toldMs
What test keys are answered with: sandbox/sandbox.ts evidence
The links of hosts: object/links.ts Links.hosts Links.removedAt
Tokens that were shown: object/used-tokens.ts UsedTokens.byHost
What a host may still say: object/allowance.ts Allowance.left Allowance.toldAt
Jobs that a host says it runs: object/processes.ts Processes.byInstance Processes.jobs
Room taken: object/batches.ts Batches.batches
That the fleet has no room: verify/room.ts words
How hosts compare: trust/host-records.ts HostRecords.records HostRecords.sick HostRecords.samples
When an answer of a host is next compared: trust/sample-turns.ts SampleTurns.turns
What hosts answer: trust/answer-shares.ts AnswerShares.work
When a host last reached a mail server: object/attachment.ts known
`;

/** Ends with one call, batch, domain, session, connection or look-up, or is filled while the process starts. */
export const ENDS = `
base/router.ts createRouter.methods
batch/address-state.ts HostLists.lists
batch/batch-book.ts BatchBook.jobs
batch/batch-timeline.ts BatchTimeline.jobs
batch/second-hosts.ts SecondHosts.confirmed
batch/job-leases.ts JobLeases.leases JobLeases.holders
batch/second-opinions.ts SecondOpinions.contradicted SecondOpinions.counted
verify/dispatch.ts FleetStream.news
verify/fleet-lines.ts FleetLines.known
verify/mx-rows.ts MxRows.rows
verify/respond-lines.ts ElementLines.others
engine/batch.ts BatchRun.reported
catch-all/catch-all-check.ts CatchAllCheck.waiting CatchAllCheck.refusals
session/rcpt-record.ts RcptRecord.answers
session/transaction.ts Transaction.outstanding
visit/domain-probe.ts DomainProbe.spoken
visit/host-probe.ts HostProbe.accepted HostProbe.done HostProbe.inParallel
visit/kept-back.ts KeptBack.shown
visit/parallel-sessions.ts ParallelSessions.workers
visit/visit.ts Visit.had
wire/reply.ts ReplyReader.waiting
link/connection.ts Connection.timers
link/link.ts Link.said
dns/look-up.ts LookUp.askings
node/dial.ts turns isCounting
node/tls.ts context
rules/codes.ts MAILBOX_STATUS SENDER_STATUS PLAIN_STATUS HOST_REFUSES LOGIN_FIRST
words/lexicon.ts words phrases unspaced further meantBy
words/recipient-names.ts HARMLESS BLAMING
signals/disposable.ts LISTED
signals/role.ts LISTED
`;
