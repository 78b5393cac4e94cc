-- A database may be put back to an earlier moment beneath nodes that run, from a backup or by a fail-over to a server that lacks its last
-- changes. What a node was told since is not so then, and its number may be given to another.

-- How often it has renewed. It knows how often that was answered: fewer are here where its last renewals were taken back.
alter table nodes add renewals integer not null default 0;

-- As before, for the node of this token, which knows of so many renewals; no row also where this database knows of fewer.
create function beat(node integer, node_token text, known_renewals integer, lease interval, seen bigint, told_ms float8)
returns table (renewals integer, live_nodes integer, latest_event_id bigint, recalled text[], at_ms float8) language plpgsql as $$
#variable_conflict use_column
declare
  told record;
  counted integer;
begin
  perform 1 from nodes n where n.id = node and n.token = node_token and n.renewals >= known_renewals;
  if not found then return; end if;
  select b.* into told from beat(node, lease, seen, told_ms) b;
  if not found then return; end if;
  update nodes n set renewals = n.renewals + 1 where n.id = node returning n.renewals into counted;
  return query select counted, told.live_nodes, told.latest_event_id, told.recalled, told.at_ms;
end $$;

-- As before, for the node of this token, which knows of so many renewals; null also where this database knows of fewer.
create function begin_journal(node integer, node_token text, known_renewals integer) returns integer language sql as $$
  select begin_journal(n.id) from nodes n
  where n.id = node and n.token = node_token and n.renewals >= known_renewals
$$;
