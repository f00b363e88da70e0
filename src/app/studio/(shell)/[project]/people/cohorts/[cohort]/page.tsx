export { generateMetadata, CohortPage as default } from '#studio/people/cohorts/CohortPage'
