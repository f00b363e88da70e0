export { generateMetadata, ResponsesPage as default } from '#studio/surveys/responses/ResponsesPage'
