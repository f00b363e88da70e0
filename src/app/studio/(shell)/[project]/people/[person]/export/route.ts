export { GET } from '#studio/people/person/person-export-route'
