CREATE TABLE `mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`pool` text NOT NULL,
	`mailbox` text NOT NULL,
	`share` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mails_mailbox` ON `mails` (`mailbox`,`at`);--> statement-breakpoint
CREATE INDEX `mails_pool` ON `mails` (`pool`,`at`);