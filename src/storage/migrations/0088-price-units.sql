-- What a price was set for: one for a million tokens is none of a model that the catalogue sells by the request since, nor the other
-- way round. Null, as all were until now, for whatever the model is sold by.
alter table price_changes add column unit text check (unit in ('mtok', 'request'));
