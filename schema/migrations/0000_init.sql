CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`balance` integer DEFAULT 0 NOT NULL,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`low_balance_at` integer,
	`last_pack` integer DEFAULT 0 NOT NULL,
	`has_bought` integer DEFAULT 0 NOT NULL,
	`database` integer,
	`unopened` integer,
	CONSTRAINT "balance_not_negative" CHECK("accounts"."balance" >= 0),
	CONSTRAINT "credits_where_its_ledger_is" CHECK("accounts"."database" is null or "accounts"."balance" = 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`label` text NOT NULL,
	`hint` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_day` integer DEFAULT 0 NOT NULL,
	`kind` text DEFAULT 'live' NOT NULL,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`session_id` text,
	`made_by` text,
	`form` text,
	`day_cap` integer,
	`month_cap` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_id` ON `api_keys` (`id`);--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE INDEX `api_keys_session` ON `api_keys` (`session_id`) WHERE session_id is not null;--> statement-breakpoint
CREATE INDEX `api_keys_maker` ON `api_keys` (`made_by`) WHERE made_by is not null;--> statement-breakpoint
CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`operator` text NOT NULL,
	`token_id` text NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`body_hash` text NOT NULL,
	`status` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_token` ON `audit` (`token_id`);--> statement-breakpoint
CREATE TABLE `call_rings` (
	`account` text NOT NULL,
	`ring` text NOT NULL,
	`since` integer NOT NULL,
	`calls` text NOT NULL,
	PRIMARY KEY(`account`, `ring`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `call_rings_since` ON `call_rings` (`since`);--> statement-breakpoint
CREATE TABLE `checked_books` (
	`account_id` text PRIMARY KEY NOT NULL,
	`through` integer NOT NULL,
	`sum` integer NOT NULL,
	`difference` integer NOT NULL,
	`since` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `heartbeat` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT "one_heartbeat" CHECK("heartbeat"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `holds` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`credits` integer NOT NULL,
	`addresses` integer DEFAULT 0 NOT NULL,
	`opened_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`closed_by` text,
	`closed_at` integer,
	`returned` integer,
	`list` text,
	`key_id` text,
	`entries` integer DEFAULT 0 NOT NULL,
	`status` integer,
	`ms` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "hold_positive" CHECK("holds"."credits" > 0),
	CONSTRAINT "returned_within_hold" CHECK("holds"."returned" is null or ("holds"."returned" >= 0 and "holds"."returned" <= "holds"."credits")),
	CONSTRAINT "closed_with_amount" CHECK(("holds"."closed_by" is null) = ("holds"."returned" is null))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `holds_open` ON `holds` (`account_id`,`expires_at`,`addresses`,`closed_by`,`credits`,`key_id`) WHERE closed_by is null;--> statement-breakpoint
CREATE TABLE `host_invitations` (
	`hash` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`expires_at` integer NOT NULL,
	`public_key` text
);
--> statement-breakpoint
CREATE TABLE `hosts` (
	`id` text PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`account_id` text NOT NULL,
	`key_hash` text NOT NULL,
	`body_hash` text NOT NULL,
	`charged` text NOT NULL,
	`attempts` integer NOT NULL,
	`batch_id` text NOT NULL,
	`begun_at` integer NOT NULL,
	`free_until` integer DEFAULT 0 NOT NULL,
	`free_addresses` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `key_hash`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_begun` ON `idempotency_keys` (`begun_at`);--> statement-breakpoint
CREATE INDEX `idempotency_keys_free` ON `idempotency_keys` (`account_id`,`free_until`,`free_addresses`) WHERE free_addresses > 0;--> statement-breakpoint
CREATE TABLE `ledger` (
	`account_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`kind` text NOT NULL,
	`delta` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `ref_id`, `kind`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "delta_has_its_sign" CHECK("ledger"."delta" <> 0 and ("ledger"."kind" = 'correction' or ("ledger"."kind" in ('purchase', 'return')) = ("ledger"."delta" > 0)))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `ledger_statement` ON `ledger` (`account_id`,`at`,`ref_id`,`kind`);--> statement-breakpoint
CREATE TABLE `notices` (
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`expires_at` integer NOT NULL,
	`sent_at` integer NOT NULL,
	`claimed_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account_id`, `kind`, `expires_at`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `opt_outs` (
	`hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `refund_days` (
	`account_id` text NOT NULL,
	`day` integer NOT NULL,
	`batches` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `turns` (
	`duty` text PRIMARY KEY NOT NULL,
	`after` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`account_id` text NOT NULL,
	`day` integer NOT NULL,
	`key_id` text NOT NULL,
	`batches` integer NOT NULL,
	`valid` integer NOT NULL,
	`risky` integer NOT NULL,
	`invalid` integer NOT NULL,
	`unknown` integer NOT NULL,
	`charged` integer NOT NULL,
	`returned` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`, `key_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `usage_days_day` ON `usage_days` (`day`);--> statement-breakpoint
CREATE TABLE `challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`person_id` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_email` ON `invitations` (`account_id`,`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_hash` ON `invitations` (`hash`);--> statement-breakpoint
CREATE TABLE `mailed_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`invitation_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mailed_links_email` ON `mailed_links` (`email`,`created_at`);--> statement-breakpoint
CREATE TABLE `mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`pool` text NOT NULL,
	`mailbox` text NOT NULL,
	`share` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mails_mailbox` ON `mails` (`mailbox`,`at`);--> statement-breakpoint
CREATE INDEX `mails_pool` ON `mails` (`pool`,`at`);--> statement-breakpoint
CREATE TABLE `memberships` (
	`account_id` text NOT NULL,
	`person_id` text NOT NULL,
	`role` text NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `person_id`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `memberships_person` ON `memberships` (`person_id`);--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`person_id` text,
	`credits` integer NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	`checkout_id` text,
	`payment_id` text,
	`refunded` integer DEFAULT 0 NOT NULL,
	`dispute` text,
	`asked_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "order_positive" CHECK("orders"."credits" > 0 and "orders"."amount" > 0),
	CONSTRAINT "paid_with_time" CHECK(("orders"."state" = 'paid') = ("orders"."paid_at" is not null))
);
--> statement-breakpoint
CREATE INDEX `orders_account` ON `orders` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_open` ON `orders` (`asked_at`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `orders_payment` ON `orders` (`payment_id`);--> statement-breakpoint
CREATE INDEX `orders_created` ON `orders` (`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`label` text NOT NULL,
	`public_key` text NOT NULL,
	`algorithm` text NOT NULL,
	`transports` text NOT NULL,
	`counter` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `passkeys_person` ON `passkeys` (`person_id`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_email` ON `people` (`email`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`person_id` text NOT NULL,
	`account_id` text NOT NULL,
	`opened_by` text NOT NULL,
	`device` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_day` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_id`) REFERENCES `people`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_id` ON `sessions` (`id`);--> statement-breakpoint
CREATE INDEX `sessions_person` ON `sessions` (`person_id`);--> statement-breakpoint
CREATE TABLE `welcomed` (
	`mailbox` text PRIMARY KEY NOT NULL,
	`domain` text NOT NULL,
	`day` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `welcomed_domain` ON `welcomed` (`domain`);--> statement-breakpoint
CREATE INDEX `welcomed_day` ON `welcomed` (`day`);
