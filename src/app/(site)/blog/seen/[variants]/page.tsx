// proxy.ts sends requests for /blog here: the same list, at an address that says which variants are on it.
export { default, generateMetadata } from '../../page'
