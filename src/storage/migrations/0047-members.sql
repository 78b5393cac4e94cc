-- Who may act for an account beside the person whose it is. That person, of the account's own id, is its owner for good and
-- stands in no row: an account never is without an owner, and nobody without an account.
create table members (
  account_id text collate "C" not null references accounts (id),
  person_id text collate "C" not null references people (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'billing')),
  since timestamptz not null default now(),
  -- As the audit log names who did something.
  invited_by text collate "C" not null,
  primary key (account_id, person_id),
  check (person_id <> account_id)
);
create index members_person on members (person_id);

-- What a person may do for an account; null: nothing.
create function role_of(person text, account text) returns text language sql stable as $$
  select case when person = account then 'owner'
    else (select role from members m where m.account_id = account and m.person_id = person) end
$$;

-- Kept when they are over: who ever was a member is read off them.
create table invitations (
  id text collate "C" primary key,
  account_id text collate "C" not null references accounts (id),
  -- In lower case.
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'billing')),
  -- The SHA-256 of what stands in the link.
  token_hash bytea not null unique check (length(token_hash) = 32),
  invited_by text collate "C" not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text collate "C",
  withdrawn_at timestamptz,
  check ((accepted_at is null) = (accepted_by is null)),
  check (accepted_at is null or withdrawn_at is null)
);
create index invitations_account on invitations (account_id, created_at);
-- Whoever is invited again has one invitation, the last.
create unique index invitations_open on invitations (account_id, email) where accepted_at is null and withdrawn_at is null;

-- Keys and tokens are the account's, and name the person who made them; null: the command line, or nobody noted it.
alter table keys add made_by text collate "C" references accounts (id);
create index keys_made_by on keys (account_id, made_by);
alter table management_tokens add made_by text collate "C" references accounts (id);

-- Up to now an account had one person.
update keys k set made_by = k.account_id where exists (
  select from audit_log l where l.subject = k.id and l.action = 'key.create' and l.actor = k.account_id
);
update management_tokens t set made_by = t.account_id where exists (
  select from audit_log l where l.subject = t.id and l.action = 'token.create' and l.actor = t.account_id
);
