import { columnOf } from '#events/taxonomy'
import { failedOutcome, type Outcome } from '#projects/problems'

/** Texts, quoted names and comments, which are left as they are, or a property that is read with a dot. */
const pieces =
  /'(?:[^'\\]|\\.|'')*'|`[^`]*`|"(?:[^"\\]|\\.)*"|--[^\n]*|\/\*[\s\S]*?\*\/|\b(person\.)?properties\.(`[^`]+`|"[^"]+"|[A-Za-z_$][\w$]*)/g

/**
 * Converts HogQL to Tilth's SQL as far as they differ: properties are read with a dot there, those that have a column are
 * read from it. Everything else is the same dialect of SQL, checked where it is run.
 */
export function sqlFromHogql(text: string): Outcome<{ text: string }> {
  if (/\{[a-z_]\w*\}/i.test(text.replaceAll(/'(?:[^'\\]|\\.|'')*'/g, "''")))
    return failedOutcome('Tilth fills in no {placeholders}. Write the value into the query.', 'query')
  let usesPerson = false
  const converted = text.replaceAll(pieces, (whole, person: string | undefined, name: string | undefined) => {
    if (name === undefined) return whole
    if (person !== undefined) usesPerson = true
    return propertyIn(name)
  })
  return usesPerson
    ? failedOutcome('Tilth has no person.properties on events. Join the table persons on person_id.', 'query')
    : { done: true, text: converted }
}

function propertyIn(quoted: string): string {
  const name = quoted.replace(/^[`"](.*)[`"]$/, '$1')
  const column = columnOf(name)
  return column ?? `properties['${name.replaceAll(/['\\]/g, String.raw`\$&`)}']`
}
