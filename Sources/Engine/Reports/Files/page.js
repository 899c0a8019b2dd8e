(function () {
  "use strict";
  document.querySelectorAll("table[data-sortable]").forEach(function (table) {
    var body = table.tBodies[0];
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      if (head.hasAttribute("data-fixed")) { return; }
      var button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      while (head.firstChild) { button.appendChild(head.firstChild); }
      head.appendChild(button);
      button.addEventListener("click", function () {
        var down = head.getAttribute("aria-sort") === "ascending";
        Array.prototype.forEach.call(table.tHead.rows[0].cells, function (other) {
          other.removeAttribute("aria-sort");
        });
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        var rows = Array.prototype.slice.call(body.rows);
        var key = function (row) {
          var cell = row.cells[column];
          var value = cell.getAttribute("data-key");
          if (value !== null) { return Number(value); }
          var text = cell.firstChild ? cell.firstChild.textContent.trim() : "";
          return /^[\d,]+$/.test(text) ? Number(text.replace(/,/g, "")) : cell.textContent.trim().toLowerCase();
        };
        rows.sort(function (a, b) {
          var x = key(a), y = key(b);
          var order = typeof x === "number" && typeof y === "number"
            ? x - y : String(x).localeCompare(String(y), undefined, { numeric: true });
          return down ? -order : order;
        });
        rows.forEach(function (row) { body.appendChild(row); });
      });
    });
  });
  document.querySelectorAll("table[data-filter]").forEach(function (table) {
    var rows = Array.prototype.slice.call(table.tBodies[0].rows);
    if (rows.length < 8) { return; }
    var label = document.createElement("label");
    label.className = "filter";
    label.appendChild(document.createTextNode(table.getAttribute("data-filter") + " "));
    var input = document.createElement("input");
    input.type = "search";
    var count = document.createElement("span");
    count.setAttribute("role", "status");
    label.appendChild(input);
    label.appendChild(count);
    table.parentNode.parentNode.insertBefore(label, table.parentNode);
    input.addEventListener("input", function () {
      var wanted = input.value.trim().toLowerCase();
      var shown = 0;
      rows.forEach(function (row) {
        row.hidden = wanted !== "" && row.textContent.toLowerCase().indexOf(wanted) < 0;
        if (!row.hidden) { shown += 1; }
      });
      count.textContent = wanted === "" ? "" : shown + " / " + rows.length;
    });
  });
  // One tab stop for many squares; arrow keys go from one to the next, and each is named in a line beside them.
  var name = function (place, squares, columns, words) {
    var line = place.querySelector(".named");
    line.textContent = line.getAttribute("data-hint");
    var show = function (square) {
      line.textContent = "";
      words(square, line);
    };
    squares.forEach(function (square, index) {
      square.tabIndex = index === 0 ? 0 : -1;
      square.addEventListener("focus", function () { show(square); });
      square.addEventListener("mouseenter", function () { show(square); });
      square.addEventListener("click", function (event) {
        if (event.pointerType === "touch") { event.preventDefault(); }
        show(square);
      });
      square.addEventListener("keydown", function (event) {
        var step = { ArrowRight: 1, ArrowDown: columns, ArrowLeft: -1, ArrowUp: -columns }[event.key];
        var next = event.key === "Home" ? squares[0] : event.key === "End"
          ? squares[squares.length - 1] : step && squares[index + step];
        if (!next) { return; }
        event.preventDefault();
        square.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
      });
    });
  };
  var strong = function (line, text) {
    var part = document.createElement("b");
    part.textContent = text;
    line.appendChild(part);
  };
  var map = document.getElementById("map");
  if (map) {
    name(map, Array.prototype.slice.call(map.querySelectorAll("a.q")), 1, function (square, line) {
      var rule = document.querySelector(square.getAttribute("href") + " .rule");
      strong(line, square.title);
      if (rule) {
        var words = rule.cloneNode(true);
        words.querySelectorAll("b, small").forEach(function (part) { part.remove(); });
        line.appendChild(document.createTextNode(". " + words.textContent + " "));
      }
      var more = document.createElement("a");
      more.href = square.getAttribute("href");
      more.textContent = line.getAttribute("data-more");
      line.appendChild(more);
    });
  }
  document.querySelectorAll("[data-named]").forEach(function (place) {
    var roles = place.querySelector("thead").rows[0].cells;
    var cells = Array.prototype.slice.call(place.querySelectorAll("td"));
    name(place, cells, roles.length - 1, function (cell, line) {
      var row = cell.parentNode;
      strong(line, row.cells[0].textContent + ", " + roles[cell.cellIndex].textContent + ": ");
      line.appendChild(document.createTextNode(cell.title));
    });
  });
  var folded = [];
  window.addEventListener("beforeprint", function () {
    folded = Array.prototype.slice.call(document.querySelectorAll("details.fold:not(.screen-only):not([open])"));
    folded.forEach(function (item) { item.open = true; });
  });
  window.addEventListener("afterprint", function () {
    folded.forEach(function (item) { item.open = false; });
  });
})();
