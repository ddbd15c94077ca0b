ALTER TABLE `api_keys` ADD `made_by` text;--> statement-breakpoint
CREATE INDEX `api_keys_maker` ON `api_keys` (`made_by`) WHERE made_by is not null;