export { generateMetadata, WebVariantsPage as default } from '#studio/experiments/web/WebVariantsPage'
