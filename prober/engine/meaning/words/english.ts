import type { WordTable } from './word-table.ts';

/**
 * English, and the names of things that are the same in all languages. Capitals are nouns, the subjects of statements:
 * whether a reply is about the mailbox or about us is mostly decided here.
 */
export const ENGLISH = {
  DROP: `kindly unfortunately regrettably apparently simply actually relevant mta_imposed policy_analysis policy_analysis_reported abuse_desk abuse_department abuse_team
    abuse_contact the an is are was were be been being am has have had having does do did done this that these those which who whose it its and to in as so very just also sorry
    will would shall should may there their then than dd err mr such_as could can ca currently thank_you no_thank_you thanks related delayed contact_correspondent
    right_now_because contact_the_correspondent remote_server_returned remote_host_said remote_server_said`,
  // The recipient and its mailbox.
  BOX: `recipent recepient recipeint reciepient acount useraccount useraccounts mailuser mailusers usermailbox accountname loginname emailid mailid postbox post_box letterbox nickname screen_name screenname profile faculty
    staff_member worker mail_recipient mail_recipients target_user target_mailbox target_recipient intended_recipient useraddress mailboxaccount mailbox mailboxes mail_box
    mail_boxes box inbox maildrop maildir user users userid user_id username user_name mail_user email_user recipient recipients recip recips rcpt rcpt_to addressee addressees
    addressed_to account accounts acct alias aliases customer customers subscriber subscribers client_account local_part localpart address addresses email_address e_mail_address
    mail_address email_addresses to_address rcpt_address recipient_address recipients_address user_address mailbox_address destination_address destination_mailbox_address
    email_account mail_account mail_accounts e_mail_account email_id mail_id mail_name mailbox_name login_name person employee mailing_list list_address distribution_list group
    destination_mailbox forward_path envelope_recipient person_you user_account recipient_s receiver receivers target_address final_recipient individual individuals student
    students resident patient guest teacher requested_party that_login this_login such_login contact_person anybody_called anybody_by anyone_called anyone_by anyone_with mbox
    mailaddress emailaddress dest_addr boxname mailboxname conference_address forwarding_address local_parts rcptto newsletter distribution_group mail_group receipients
    reciptient colleague colleagues adress folder folders mailfolder mailfolders mail_folder mail_file dropfile mail_drop destin dest usr she he no_reply_address noreply_address do_not_reply_address donotreply_address anybody_with`,
  'limit MSG': `maximum_number_of_messages maximum_number_of_mails maximum_number_of_emails`,
  'not BOX': `no_such_login no_such_contact no_such_name no_such_person nobody_here nobody_by nobody_called nobody_with no_one_here no_one_by no_one_called no_one_named
    nobody_named anyone_named no_one_with no_one_at nobody_of no_one_of none_by none_named none_called`,
  'bad BOX': `mailbox_name_not_allowed`,
  'MSG size': `mailsize messagesize`,
  'MSG overdue': `message_expired message_has_expired message_deleted message_was_deleted message_removed message_was_removed mail_expired mail_was_deleted`,
  'BOX gone': `badrcptto badrcptto_list badrcpt badrecipientto bad_recipient_to my_new_email my_new_e_mail my_new_address my_new_mailbox former_employee former_user former_member
    former_customer former_student account_on_hold mailbox_on_hold ex_employee account_is_on_hold mailbox_is_on_hold`,
  EMAIL: `webmail email emails e_mail e_mails`,
  MSG: `mail mails msg msgs message messages content`,
  // Us, the prober.
  SENDER: `srs batv verp sender senders sender_email sender_email_address from_address from_domain from_addresses mail_from mailfrom mail_from_address return_path reverse_path envelope_from
    in_from in_mail_from envelope_sender originator sender_address sender_addresses senders_address sender_domain sender_domains sender_s domain_of_sender
    domain_of_sender_address sending_domain sending_address sending_domains senders_domain from_email your_account your_user your_mailbox your_email_address your_e_mail_address
    your_mail_address your_email your_e_mail from_header source_address origin_address originating_address rfc_from sending_user header_from your_mail_account your_email_account
    your_e_mail_account bounce_address reply_address return_address reply_to_address your_sender purported_responsible_address purported_sender main_account parent_account
    master_account smtp_user sasl_user authenticated_user auth_user the_from_address source_domain sender_mailbox sender_account originators bounces null_sender null_senders
    empty_sender correspondent correspondents your_current_address your_present_address`,
  CLIENT: `sending_machine sending_mailserver sending_mailhost sending_hosts sending_relay calling_host remote_machine remote_system remote_client connecting_system
    connecting_mta connecting_mail_server smtp_client your_mailhost senders_server sender_server sender_s_server sender_host sender_mta client client_host client_hosts
    hosts_client client_ip client_address client_domain connection connections session sessions your_host your_server your_mail_server your_mailserver your_mta your_smtp_server
    your_domain your_network your_isp your_provider your_machine your_system your_computer sending_server sending_host sending_mta sending_mail_server sending_system
    sending_network source_host source_server remote_host remote_server remote_mta connecting_host connecting_server connecting_client peer originating_server originating_host
    sending_servers originator_server mx_only subnet netblock network open_proxy open_relay open_relays open_proxies botnet bot dialup dial_up dynamic residential proxy
    address_space ip_space your_hostname_is your_country asn autonomous_system your_location your_region country your_mail_system your_mailer your_mx your_hosts your_smtp
    your_relay your_company your_organization your_organisation originating_system originating_mta originating_mail_server originating_network sendermx relay_host clients`,
  IP: `address_ipnumber ip ips ip_address ip_addresses ip_addr ipaddress your_ip your_ip_address your_address ipnumber ipv remote_address host_address network_address peer_address server_address
    connecting_address source_ip sender_ip sending_ip sending_ips sending_ip_address sending_ip_addresses source_ip_address sender_ip_address connecting_ip_address
    remote_ip_address client_ip_address connecting_ip remote_ip ip_range ip_name your_ips originating_ip`,
  HELO: `helo ehlo helohost helo_host helo_name ehlo_name helo_domain helo_ehlo helo_argument greeting_name`,
  RDNS: `reverse_address reverse_address_dns valid_reverse your_dns ptr rdns your_host_name reverse_dns reverse_hostname reverse_host reverse_lookup reverse_name reverse_record
    reverse_map reverse_mapping reverse_resolution fcrdns your_hostname your_reverse forward_confirmed revdns reverse_ip reverse_domain ip_name_lookup ptr_record ptr_records`,
  SPF: `spf dkim dmarc sender_id senderid domainkeys dkim_signature arc_seal spf_record dmarc_policy`,
  LIST: `blacklist blacklists blacklisted blacklisting black_list black_listed black_lists blocklist blocklists blocklisted block_list block_listed block_lists denylist
    denylisted deny_list blocking_list rbl rbls dnsbl dnsbls dnsrbl realtime_blackhole blackhole blackholed sbl xbl pbl spamhaus spamcop sorbs cbl abusix cloudmark uceprotect
    senderbase senderscore sender_score barracuda_reputation black_hole greyhole blacklisted_ip rhsbl surbl uribl`,
  REPUTE: `account_review security_review under_review pending_review under_investigation score scores trust_score karma reputation reputations ip_reputation untrusted
    poor_reputation`,
  SPAM: `abusers advert advertisement advertising commercial spoofing spoof impersonation impersonating forgery banned_content hostile offensive objectionable questionable spam spams
    spammer spammers spamming spammy junk junkmail junk_mail ube uce unsolicited bulk bulk_mail phish phishing infected infection virus viruses malware abuse abusive abused
    abuses complaints complaint flooding flood hacker trojan spamtrap spam_trap anti_spam antispam suspicious suspected backscatter harvest harvesting dictionary_attack
    directory_harvest fraud scam prison antivirus anti_virus`,
  TAGUS: `tagus`,
  TAGLIMIT: `taglimit`,
  TAGBOX: `tagbox`,
  TAGFULL: `tagfull`,
  POLICY: `terms_of_service acceptable_use regulations whitelist whitelists allowlist safelist user_reject user_rejects recipient_rejects recipient_refuses user_refuses
    user_denies recipient_denies closed_list closed_mailing_list closed_group policy policies security_policy policy_reasons administrative_prohibition administratively
    prohibition firewall geoip compliance guidelines guideline comply complies violation violations violate violates`,
  AUTH: `authorization authorisation authenticating authenticates logging_in challenge_response authentication authenticate authenticated unauthenticated auth smtp_auth login
    logon credentials credential password log_in sign_in authentification smtp_authentication pop_before_smtp sasl logged_in verify_account verify_the_account verify_this_account validate_account validate_the_account confirm_account`,
  TLS: `tls starttls ssl encryption encrypted unencrypted cleartext`,
  RATE: `thread_limit threads_limit thread_limits connection_limit connections_limit session_limit process_limit slower throughput bandwidth rate rates ratelimit rate_limit rate_limits rate_limited rate_limiting frequency throttle throttled throttling too_fast too_quickly too_often
    too_frequently volume concurrent concurrency simultaneous quickly quota_rate recipient_limit recipients_limit maximum_recipients recipients_per number_of_recipients
    number_of_rcpt number_of_rcpts rcpt_attempts recipient_count recipients_exceeds recipients_exceeded outgoing_quota outbound_quota bounce_quota traffic_quota traffic_limit
    transfer_quota transfer_limit high_number maximum_number flow_control slow_down sending_quota sending_limit sending_limits hourly per_hour per_minute per_day this_hour this_minute daily excess_of ratio ratios percentage
    excessive excessively monthly send_quota send_limit outgoing_limit outgoing_mail_quota outbound_limit unusual_rate over_rate unusual_sending`,
  MANY: `too_many toomany too_much`,
  several: `multiple numerous two three four five twenty`,
  external: `outside outsiders stranger foreign`,
  GREY: `sqlgrey grey_defer grey_deferred gray_defer greylist greylisted greylisting graylist graylisted graylisting grey_list grey_listed grey_listing gray_listed gray_listing postgrey
    triplet`,
  RELAY: `relay relays relaying relayed rcpthosts relay_access relaying_access relay_for`,
  DOMAIN: `domain domains domain_name domain_names zone email_domain mail_domain domain_part host_domain`,
  RDOMAIN: `rcpt_domain recipient_domain recipients_domain recipient_s_domain destination_domain target_domain local_domain virtual_domain domain_of_recipient domain_of_the_recipient
    destination_host destination_hosts`,
  // Neither the recipient nor us.
  THING: `memory_address out_of_range out_of_bounds attachment attachments tag tags file files page pages script scripts certificate certificates key keys option options module modules process processes job jobs transport transports pattern patterns
    state header headers field fields charset encoding signature token image images website feature extension extensions envelope library function operation request response
    method version device licence license record_type program programs hash hashes cookie cookies challenge subject body mechanism mechanisms nonce digest fingerprint search
    query language timezone cipher ciphers greeting milter milters plugin plugins nexthop next_hop mailer mime_type content_type user_agent socket class classes category realm`,
  FORM: `syntax format formatted characters character illegal_character unparseable parse parsed unbalanced quoting unqualified fully_qualified punctuation spaces dots typo typos`,
  HOST: `mail_exchanger mail_exchangers host hosts hostname host_name server servers mail_server mailserver mta mx mxs mail_host mailhost mtas mailservers system systems site machine`,
  SERVICE: `service services smtp_service mail_service`,
  COMMAND: `verb verbs command commands cmd sequence protocol argument arguments parameter parameters keyword keywords pipelining bdat`,
  /** Words that patterns use as they are: known, so that no similar word is read for them. */
  SELF: `filter migration member members record records resource resources attempt attempts contact contacts internal configuration channel transmission goodbye disconnecting
    disconnected closing handshake negotiation smarthost provider another responsible delivery reception incoming inbound directly include contain contains create output sending
    specified quoted location organization organisation information postmaster administrator support please explanation reasons reason destination returned number queue queues changed verified`,
  // The predicates.
  for: `of`,
  /** A possibility is not a statement. */
  maybe: `might may_have could_be may_be may_not_exist`,
  if: `whether wenn falls sofern indien jesli jezeli если якщо eger pokud`,
  or: `or oder lub albo или eller ou oppure nebo tai vagy veya atau`,
  'all MSG': `all_mail all_mails all_messages all_email all_emails any_mail any_message any_messages any_email any_emails`,
  'failed INFRA': `find_database find_the_database find_user_database find_directory no_database open_database open_the_database`,
  'not such': `no_such no_sush no_souch so_such no_such_an no_such_a`,
  not: `not_able dosent not no never cannot unable couldnt cant dont dosnt doesn don isnt isn wasnt wasn wont won arent hasnt havent neither nor none no_longer not_longer without fails_to
    failed_to failure_to isn_t lacks lacking missing nobody didnt longer_not unable_to never_been`,
  exist: `set_up exsist exsit belong traceable identifiable identified mapped licensed on_file on_record on_staff in_operation operating operative functioning in_service in_existence
    genuine legitimate usable useable enrolled employed served_by existent existed exits exist_s found find finds locate located known know knows recognized recognised valid
    activated local available registered deliverable routable reachable used in_use enabled provisioned created real ok okay defined correct resolved resolvable listed_in
    looked_up present existant subscribed assigned matched appear operational functional routed uses associated`,
  hosted: `hosted handled served serve serves serviced service_mail configured accept_mail_for`,
  gone: `ceased_employment disused unkonwn uknown dissabled suspeneded supended under_closure replaced superseded shut_down closed_down taken_down out_of_business nonfunctional non_functional extinct destroyed stale untraceable unidentifiable unidentified
    unlocatable unmapped unprovisioned orphaned deregistered de_registered delisted uninstalled unhosted unlicensed unlicenced expunged laid_off fired phased_out rendered_inactive not_on_staff never_existed non_deliverable nondeliverable no_longer_on_staff
    no_longer_employed no_longer_using no_longer_uses no_longer_used no_longer_in_service unknown unkown nonexistent nonexisting nonexistant inexistent unexisting disabled deactivated inactivated suspended stopped unallocated not_allocated vacant absent
    inoperative discontinued terminated closed deleted removed expired archived frozen undeliverable unrouteable unroutable misspelled mistyped misspelt may_be_misspelled may_be_mistyped locked cancelled canceled obsolete retired moved unused unregistered
    unrecognized unrecognised unresolvable unresolveable dead defunct dormant abandoned inactivity vanished notfound non_existent non_existing non_existant non_valid not_known purged decommissioned dismissed left_the left_our left_company parked has_changed
    not_entered never_logged never_logged_on never_logged_onto never_logged_in never_logged_into not_logged_in_since deprovisioned ambiguous unassigned hibernated quarantined departed deceased graduated resigned has_left have_left no_longer_with no_longer_works
    not_longer_with out_of_use out_of_service not_in_service switched_off turned_off shut_off offboarded wiped erased abolished withdrawn deactived ceased_to_exist unlisted undefined migrated relocated revoked lapsed dissolved non_active notexist doesntexist nonactive invalidated
    has_ended has_quit unresolved unsubscribed not_on_our_staff no_longer_on_our no_longer_part_of unconfigured nonlocal no_longer_a_member given_up gave_up moved_away gone_away went_away`,
  'gone accept': `no_longer_accepting no_longer_accepts no_longer_receives no_longer_receiving no_longer_taking no_longer_takes`,
  away: `unavailble unavailable unreachable inaccessible offline down`,
  literal: `address_literal address_literals`,
  bad: `mistaken misformed ill_formed unparsable misaddressed mis_addressed misrouted nonsense invalid bad wrong incorrect illegal malformed improper unacceptable erroneous
    faulty fake faked forged spoofed bogus unsupported not_the_right not_the_correct mis_spelled you_have_the_wrong you_have_a_wrong you_got_the_wrong you_used_the_wrong you_used_a_wrong you_entered_a_wrong you_have_an_incorrect you_entered_an_incorrect`,
  refused: `turned_away turn_away not_welcome vetoed excluded filtered rejected refused denied deny denies forbidden forbid prohibited prohibits disallowed bounced dropped drop
    declined unauthorized unauthorised unwelcome unwanted disapproved bypassing go_away`,
  blocked: `blocked blockage banned ban bans barred`,
  restricted: `restricted limited_to private`,
  allowed: `allowed permitted permit authorized authorised welcome permission entitled whitelisted allowlisted right access_rights privileged let`,
  accept: `accepted acceptable receive receives receiving deliver`,
  listed: `listed listing is_listed`,
  failed: `status_unknown unknown_status unknown_mailer_error unknown_error unknown_reason unknown_problem unknown_failure failed failure fail fails failing error problem
    unsuccessful mismatched reason_unknown`,
  INFRA: `relay_recipient_table backend backends ldap directory database db userdb passwd password_file passwd_file user_database user_table store spool table tables cluster clusters node
    controller shard cache`,
  CHECK: `verify verification verifying check checking checks lookup lookups validation validate verifiable unverifiable verified_fail callout callouts callback callbacks enumeration enumerating look_up double_check check_whether check_if check_that check_the_spelling check_spelling_of check_for_typos`,
  exceeded: `exeeded excceded overstepped overran overrun outgrown went_over exceed overdrawn surpassed reached hit hits exceded`,
  over: `over above beyond out_of`,
  full: `saturated depleted maxed_out choked jammed full overflowed overfull stuffed used_up run_out ran_out exhausted filled crammed overfilled used_all uses_all using_all consumed`,
  norecipients: `no_valid_recipients no_recipients`,
  overquota: `overquota over_quota over_quote over_the_quota over_his_quota over_its_quota over_their_quota quota_violation mailbox_quota_violation mailbox_quota_violated
    quota_violated`,
  quota: `allowance disc_quota mailbox_allowance mail_storage mail_quota quota quotas disk_quota storage_quota mailbox_quota allotment allocated_storage storage_allocation
    quote_exceeded allotted_space diskquota`,
  storage: `disc_space mail_space mailbox_space storage space storage_space room`,
  /** The mailbox or quota says whose disk it is: on its own it is the server's. */
  disk: `disk disks disk_space diskspace free_space filesystem file_system partition`,
  large: `large big larger bigger oversized`,
  limit: `limited limitation maximum max threshold size_limit`,
  enough: `enough sufficient insufficient_not`,
  insufficient: `insufficient inadequate low too_little`,
  required: `required must need needs mandatory necessary requirement issue demanded`,
  'temporarily not accept': `currently_not_accepting not_currently_accepting currently_unable_to_accept currently_cannot_accept`,
  temporarily: `currently_we we_currently for_the_time_being right_now at_this_time at_the_moment at_present presently for_now shortly today tomorrow tonight being_migrated being_moved being_relocated being_transferred being_upgraded being_repaired
    temporarily temp transient momentarily later soon currently_unavailable maintenance postponed away on_vacation on_holiday on_leave out_of_office`,
  'BOX remaining': `mailbox_has_left inbox_has_left`,
  'mxrecord gone': `null_mx nullmx`,
  mxrecord: `mx_record mx_records mx_or_srv an_mx mx_host mx_hosts`,
  'please CHECK': `please_confirm please_make_sure please_ensure make_sure_that kindly_confirm kindly_ensure`,
} as const satisfies WordTable;
