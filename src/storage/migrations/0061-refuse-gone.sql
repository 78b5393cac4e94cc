-- A commit of a node or session that is over is refused as a whole, so that what it writes need not be joined to the node's row.
create function refuse_gone() returns boolean language plpgsql as $$
begin
  raise exception 'this session of the node is over' using errcode = 'TG002';
end $$;
