export { metadata, InsightsPage as default } from '#studio/insights/InsightsPage'
