CREATE TABLE `welcomed` (
	`mailbox` text PRIMARY KEY NOT NULL,
	`domain` text NOT NULL,
	`day` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `welcomed_domain` ON `welcomed` (`domain`);--> statement-breakpoint
CREATE INDEX `welcomed_day` ON `welcomed` (`day`);