-- SHA-256 of the ids of the items that the provider stored with an answer: only its own account's calls may refer to them.
alter table calls add stored_item_hashes bytea[];

-- Written as the calls are: a list of what is still to be indexed would be searched by every look-up.
create index calls_stored_items on calls using gin (stored_item_hashes) with (fastupdate = off)
  where stored_item_hashes is not null;
