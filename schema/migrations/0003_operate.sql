CREATE TABLE `heartbeat` (
	`id` integer PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	CONSTRAINT "one_heartbeat" CHECK("heartbeat"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE `host_invitations` (
	`hash` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`expires_at` integer NOT NULL,
	`public_key` text
);
