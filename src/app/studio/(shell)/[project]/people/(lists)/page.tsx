export { metadata, PersonsPage as default } from '#studio/people/PersonsPage'
