CREATE TABLE `opt_outs` (
	`hash` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
