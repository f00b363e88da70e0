export {
  generateMetadata,
  ExperimentResultsPage as default,
} from '#studio/experiments/results/ExperimentResultsPage'
