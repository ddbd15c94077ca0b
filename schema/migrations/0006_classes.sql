ALTER TABLE `accounts` ADD `has_bought` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Accounts have bought if the ledger has a purchase, or an operator's grant, that is not the credits of a first sign-in.
UPDATE `accounts` SET `has_bought` = 1
 WHERE EXISTS (SELECT 1 FROM `ledger` l WHERE l.account_id = accounts.id AND l.kind = 'purchase' AND l.ref_id <> 'welcome');
