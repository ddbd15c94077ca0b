ALTER TABLE `notices` ADD `claimed_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `refunded` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `dispute` text;--> statement-breakpoint
CREATE INDEX `orders_created` ON `orders` (`created_at`,`id`);