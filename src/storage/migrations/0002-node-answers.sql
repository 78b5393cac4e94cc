-- What each node answered to a question asked through node_events, such as how much of a wallet it holds. An answer is
-- written before the node says that it has seen the event, and deleted by whoever asked.
create unlogged table node_answers (
  event_id bigint not null,
  node_id integer not null,
  value jsonb not null,
  primary key (event_id, node_id)
);
