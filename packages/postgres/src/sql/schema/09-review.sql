-- Who looks at an item of the review queue until when, by kind and user; who expired is deleted when somebody opens an item.
create table review_viewers (
  organization_id text not null references organizations (id),
  item_id text not null,
  viewer_id text not null,
  name text not null,
  since timestamptz not null,
  expires_at timestamptz not null,
  primary key (organization_id, item_id, viewer_id)
);

-- Those who expired.
create index review_viewers_expired on review_viewers (organization_id, expires_at);
