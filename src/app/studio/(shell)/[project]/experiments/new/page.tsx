export { metadata, NewExperimentPage as default } from '#studio/experiments/new/NewExperimentPage'
