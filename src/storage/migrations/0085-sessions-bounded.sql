-- A person has a hundred sessions at most: whoever signs in again and again, from however many addresses, ends those that were prolonged
-- longest ago. Of what a browser calls itself the beginning is kept, as the alert tells it: a header may have kilobytes.
update sessions set user_agent = left(user_agent, 300) where length(user_agent) > 300;

create function shorten_agent() returns trigger language plpgsql as $$
begin
  new.user_agent := left(new.user_agent, 300);
  return new;
end $$;
create trigger sessions_shortened before insert on sessions for each row execute function shorten_agent();

-- Of two at once the second passes over what the first is ending.
create function bound_sessions() returns trigger language plpgsql as $$
begin
  delete from sessions where id in (
    select id from sessions where person_id = new.person_id and id <> new.id
    order by updated_at desc, id offset 99 for update skip locked);
  return null;
end $$;
create trigger sessions_bounded after insert on sessions for each row execute function bound_sessions();
