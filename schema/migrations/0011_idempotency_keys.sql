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
CREATE INDEX `idempotency_keys_free` ON `idempotency_keys` (`account_id`,`free_until`,`free_addresses`) WHERE free_addresses > 0;