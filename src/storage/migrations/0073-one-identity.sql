-- What somebody signs in by is there once. Two sign-ins with the same account elsewhere that came back at once were both linked,
-- and better-auth lets nobody in by what is linked twice. The first of them stays, and of passwords the last.
delete from credentials c using credentials other
where other.provider = c.provider and other.subject = c.subject and case when c.provider = 'credential'
  then (other.updated_at, other.id) > (c.updated_at, c.id)
  else (other.created_at, other.id) < (c.created_at, c.id) end;
create unique index credentials_provider_subject on credentials (provider, subject);
