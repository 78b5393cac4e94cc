-- Who may sign in to the dashboard. A person has the id of their account; the tables have the columns better-auth
-- plans for (a test asserts that it would add nothing).

create table people (
  id text collate "C" primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sessions (
  id text primary key,
  expires_at timestamptz not null,
  token text not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null,
  ip_address text,
  user_agent text,
  person_id text collate "C" not null references people (id) on delete cascade
);
create index sessions_person_id_idx on sessions (person_id);

create table credentials (
  id text primary key,
  subject text not null,
  provider text not null,
  person_id text collate "C" not null references people (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null
);
create index credentials_person_id_idx on credentials (person_id);

create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier_idx on verifications (identifier);

-- Who asked for a new password while no mail server is set: the operator makes the link.
create table password_reset_requests (
  person_id text collate "C" primary key references people (id) on delete cascade,
  at timestamptz not null default now()
);

-- Signing up makes the account and its wallet in the same transaction. An account that exists under this address
-- without a person (made by the command line) is never taken over: accounts_email refuses the insert.
create function make_account_of_person() returns trigger language plpgsql as $$
begin
  insert into accounts (id, email) values (new.id, new.email) on conflict (id) do nothing;
  insert into wallets (account_id) values (new.id) on conflict (account_id) do nothing;
  return new;
end $$;
create trigger people_have_accounts before insert on people for each row execute function make_account_of_person();
