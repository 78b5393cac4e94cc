-- A transfer that was credited to the wrong account is taken back there and waits again; how often that was done names its credits.

alter table bank_transfers add column taken_back int not null default 0;
