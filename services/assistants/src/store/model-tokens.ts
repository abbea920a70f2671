/** The collection of the tokens that accounts use of the model. */
export const MODEL_TOKENS = 'model_tokens';
