-- Of whom an exchange wants a second factor.
alter table exchanges add column second_factor text not null default 'none'
  check (second_factor in ('none', 'administrators', 'everybody'));
