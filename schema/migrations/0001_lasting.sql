CREATE TABLE `audit_position` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	CONSTRAINT "one_position" CHECK("audit_position"."id" = 1)
);
--> statement-breakpoint
INSERT INTO `audit_position` (`id`, `account_id`) VALUES (1, '');--> statement-breakpoint
ALTER TABLE `holds` ADD `addresses` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `holds` ADD `closed_at` integer;--> statement-breakpoint
UPDATE `holds` SET `addresses` = `credits` WHERE closed_by is null;--> statement-breakpoint
DROP INDEX `holds_open`;--> statement-breakpoint
CREATE INDEX `holds_open` ON `holds` (`account_id`,`expires_at`,`addresses`,`closed_by`) WHERE closed_by is null;--> statement-breakpoint
ALTER TABLE `accounts` ADD `proven` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `proven_to` text DEFAULT '' NOT NULL;
