export { metadata, PeopleBehindPage as default } from '#studio/people/behind/PeopleBehindPage'
