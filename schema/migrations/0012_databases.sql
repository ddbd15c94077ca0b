CREATE TABLE `database_number` (
	`id` integer PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	CONSTRAINT "one_number" CHECK("database_number"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `moves` (
	`account_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`other` integer NOT NULL,
	`is_frozen` integer DEFAULT 0 NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `accounts` ADD `elsewhere` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `unopened` integer;