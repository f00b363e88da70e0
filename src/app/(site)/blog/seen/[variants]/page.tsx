// Where proxy.ts sends those who ask for /blog: the same list, at an address that says which variants are on it.
export { default, generateMetadata } from '../../page'
