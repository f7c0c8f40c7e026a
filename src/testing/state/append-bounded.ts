/** Appends an item to a list and forgets the oldest items beyond the limit. */
export const appendBounded = <T>(items: T[], item: T, limit: number): void => {
  items.push(item);
  if (items.length > limit) items.splice(0, items.length - limit);
};
