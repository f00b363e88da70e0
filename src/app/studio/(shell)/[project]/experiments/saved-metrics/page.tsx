export { metadata, SavedMetricsPage as default } from '#studio/experiments/saved-metrics/SavedMetricsPage'
