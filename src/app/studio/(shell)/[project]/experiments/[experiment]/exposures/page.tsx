export { generateMetadata, ExposuresPage as default } from '#studio/experiments/exposures/ExposuresPage'
