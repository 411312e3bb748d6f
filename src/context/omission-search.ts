import { findAmounts } from './omission-amounts.js';
import { findDates } from './omission-dates.js';
import { type FoundItem, SearchedText } from './omission-item.js';
import { findNames, findNumbered, findUrls } from './omission-names.js';

/**
 * All items of a text but the negations. The order matters: an address holds paths, a date holds
 * numbers, and each place is read once.
 */
export function itemsIn(text: string): readonly FoundItem[] {
  const searched = new SearchedText(text);
  findUrls(searched);
  findDates(searched);
  findNumbered(searched);
  findAmounts(searched);
  findNames(searched);
  return searched.found;
}
