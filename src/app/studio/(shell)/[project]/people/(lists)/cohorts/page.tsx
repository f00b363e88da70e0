export { metadata, CohortsPage as default } from '#studio/people/cohorts/CohortsPage'
