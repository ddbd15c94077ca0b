CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`balance` integer DEFAULT 0 NOT NULL,
	`expires_at` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "balance_not_negative" CHECK("accounts"."balance" >= 0)
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
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_id` ON `api_keys` (`id`);--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
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
CREATE TABLE `holds` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`credits` integer NOT NULL,
	`opened_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`closed_by` text,
	`returned` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "hold_positive" CHECK("holds"."credits" > 0),
	CONSTRAINT "returned_within_hold" CHECK("holds"."returned" is null or ("holds"."returned" >= 0 and "holds"."returned" <= "holds"."credits")),
	CONSTRAINT "closed_with_amount" CHECK(("holds"."closed_by" is null) = ("holds"."returned" is null))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `holds_open` ON `holds` (`expires_at`) WHERE closed_by is null;--> statement-breakpoint
CREATE TABLE `hosts` (
	`id` text PRIMARY KEY NOT NULL,
	`public_key` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ledger` (
	`account_id` text NOT NULL,
	`ref_id` text NOT NULL,
	`kind` text NOT NULL,
	`delta` integer NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `ref_id`, `kind`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "delta_has_its_sign" CHECK("ledger"."delta" <> 0 and ("ledger"."kind" in ('purchase', 'return')) = ("ledger"."delta" > 0))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `refund_days` (
	`account_id` text NOT NULL,
	`day` integer NOT NULL,
	`batches` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
