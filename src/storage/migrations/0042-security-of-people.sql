-- Second factors of people, when a session was last confirmed by one, and accounts that their owners closed. As in
-- 0010, the tables have the columns better-auth plans for.

alter table people add two_factor_enabled boolean not null default false;

-- The secret and the codes are encrypted by a key that follows from the seal key.
create table two_factors (
  id text primary key,
  secret text not null,
  backup_codes text not null,
  person_id text collate "C" not null unique references people (id) on delete cascade,
  verified boolean not null default true,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);

create table passkeys (
  id text primary key,
  name text,
  public_key text not null,
  person_id text collate "C" not null references people (id) on delete cascade,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  created_at timestamptz not null default now(),
  aaguid text
);
create index passkeys_person_id_idx on passkeys (person_id);

alter table sessions add confirmed_at timestamptz;

alter table accounts add closed_at timestamptz;

-- A person and their account have one address, whoever changes it.
create function tell_account_of_address() returns trigger language plpgsql as $$
begin
  update accounts set email = new.email where id = new.id;
  return new;
end $$;
create trigger people_keep_addresses before update of email on people for each row
  when (new.email is distinct from old.email) execute function tell_account_of_address();
