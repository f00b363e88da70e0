export {
  generateMetadata,
  ExperimentSettingsPage as default,
} from '#studio/experiments/settings/ExperimentSettingsPage'
