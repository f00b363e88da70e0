export { PeopleLayout as default } from '#studio/people/PeopleLayout'
