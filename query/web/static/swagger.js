// The contract as Swagger shows it; without Swagger's files the plain list stays.
"use strict";

if (typeof SwaggerUIBundle !== "undefined") {
  document.getElementById("operations").hidden = true;
  SwaggerUIBundle({ url: "/openapi.json", domNode: document.getElementById("swagger"), deepLinking: false, validatorUrl: null, layout: "BaseLayout", defaultModelsExpandDepth: -1 });
}
