export { generateMetadata, InsightPage as default } from '#studio/insights/InsightPage'
