export { generateMetadata, PersonPage as default } from '#studio/people/person/PersonPage'
