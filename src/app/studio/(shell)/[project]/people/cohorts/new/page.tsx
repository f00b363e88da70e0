export { metadata, NewCohortPage as default } from '#studio/people/cohorts/NewCohortPage'
