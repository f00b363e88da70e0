export { generateMetadata, ResponsePage as default } from '#studio/surveys/responses/ResponsePage'
